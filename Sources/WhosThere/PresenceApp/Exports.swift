// This module also exports the `Presence` module, so an app needs only one import.
@_exported public import Presence
