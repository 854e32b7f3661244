// An app needs one import: entities and repositories come with their use cases.
@_exported public import Challenges
