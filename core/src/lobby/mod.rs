//! (see the design)
