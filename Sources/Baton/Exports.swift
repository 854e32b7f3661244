// `import Baton` is enough for an application: its jobs, their context and its commands.
@_exported public import ArgumentParser
@_exported public import JobCore
@_exported public import JobRunner
@_exported public import Postgres
