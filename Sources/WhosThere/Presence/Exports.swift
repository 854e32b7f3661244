// This module also exports the types for instants, dates and clocks, so an app needs only one
// import.
@_exported public import ProductKit
