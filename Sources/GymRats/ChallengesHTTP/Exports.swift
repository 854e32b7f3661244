// This module also exports the entities and the connection, so an app needs only one import.
@_exported public import Challenges
@_exported public import ProductHTTP
