// `import Baton` is enough for an application: its jobs, their context and its commands.
@_exported public import ArgumentParser
@_exported public import BatonJobs
@_exported public import JobRunner
@_exported public import BatonPostgres
