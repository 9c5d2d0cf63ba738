//! One operation of the REST interface: where it is, who may ask, what it takes and gives, and who
//! answers. The router and the OpenAPI document are both made from the list of these, so neither can
//! know what the other does not.

use axum::extract::{Request, State};
use axum::handler::Handler;
use axum::http::{Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::api::Api;
use super::caller::Caller;
use super::error::Code;
use crate::gateway::Scope;

/// Who may ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Anyone.
    Anyone,
    /// Whoever shows a ticket or token.
    Caller,
    /// Whoever shows one that allows this.
    Scope(Scope),
}

/// Makes a type's schema.
pub(super) type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// A parameter of the query.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) meaning: &'static str,
    pub(super) schema: SchemaOf,
}

pub(super) struct Operation {
    pub(super) method: Method,
    /// Under `/api/v1`; `{name}` stands for a part of the address.
    pub(super) path: &'static str,
    pub(super) summary: &'static str,
    pub(super) access: Access,
    pub(super) query: &'static [Parameter],
    pub(super) takes: Option<SchemaOf>,
    pub(super) gives: Option<SchemaOf>,
    pub(super) status: StatusCode,
    /// Media types it can answer with besides JSON.
    pub(super) also: &'static [&'static str],
    pub(super) errors: &'static [Code],
    handler: MethodRouter<Api>,
}

impl Operation {
    pub(super) fn new<H, T>(
        method: Method,
        path: &'static str,
        summary: &'static str,
        handler: H,
    ) -> Operation
    where
        H: Handler<T, Api>,
        T: 'static,
    {
        let filter = MethodFilter::try_from(method.clone()).expect("a method that routers know");
        Operation {
            method,
            path,
            summary,
            access: Access::Anyone,
            query: &[],
            takes: None,
            gives: None,
            status: StatusCode::NO_CONTENT,
            also: &[],
            errors: &[],
            handler: on(filter, handler),
        }
    }

    pub(super) fn needs(self, access: Access) -> Operation {
        Operation { access, ..self }
    }

    pub(super) fn asks(self, query: &'static [Parameter]) -> Operation {
        Operation { query, ..self }
    }

    pub(super) fn takes<B: JsonSchema>(self) -> Operation {
        Operation {
            takes: Some(|generator| generator.subschema_for::<B>()),
            ..self
        }
    }

    pub(super) fn gives<A: JsonSchema>(self, status: StatusCode) -> Operation {
        Operation {
            gives: Some(|generator| generator.subschema_for::<A>()),
            status,
            ..self
        }
    }

    pub(super) fn also(self, also: &'static [&'static str]) -> Operation {
        Operation { also, ..self }
    }

    pub(super) fn errors(self, errors: &'static [Code]) -> Operation {
        Operation { errors, ..self }
    }

    /// The route that answers, access checked before anything else is read.
    pub(super) fn route(self, api: &Api) -> MethodRouter<Api> {
        let scope = match self.access {
            Access::Anyone => return self.handler,
            Access::Caller => None,
            Access::Scope(scope) => Some(scope),
        };
        self.handler
            .route_layer(from_fn_with_state((api.clone(), scope), check))
    }
}

async fn check(
    State((api, scope)): State<(Api, Option<Scope>)>,
    mut request: Request,
    next: Next,
) -> Response {
    match Caller::of(request.headers(), &api, scope).await {
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Err(refused) => refused.into_response(),
    }
}
