// This module also exports the module `Presence`, so an app needs only one import.
@_exported public import Presence
