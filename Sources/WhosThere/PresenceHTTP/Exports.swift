// This module also exports the `Presence` and `ProductHTTP` modules, so an app needs only one
// import.
@_exported public import Presence
@_exported public import ProductHTTP
