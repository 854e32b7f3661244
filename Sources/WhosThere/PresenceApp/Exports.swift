// This module also exports the entities and the repositories, so an app needs only one import.
@_exported public import Presence
