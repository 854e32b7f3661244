// An app needs one import: entities and repositories come with what the app does with them.
@_exported public import Presence
