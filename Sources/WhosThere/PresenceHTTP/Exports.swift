// This module also exports the entities and the connection, so an app needs only one import.
@_exported public import Presence
@_exported public import ProductHTTP
