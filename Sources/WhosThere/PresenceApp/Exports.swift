// An app needs only one import, because this module also exports the entities and the repositories.
@_exported public import Presence
