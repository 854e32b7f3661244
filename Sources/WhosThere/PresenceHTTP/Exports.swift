// This module also exports the modules `Presence` and `ProductHTTP`, so an app needs only one
// import.
@_exported public import Presence
@_exported public import ProductHTTP
