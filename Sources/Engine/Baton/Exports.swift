// For its jobs and its worker, a program needs only `import Baton`. Files with commands import
// ArgumentParser, and files that send statements import BatonPostgres. Names in ArgumentParser and
// BatonPostgres, such as `Flag` and `Row`, could collide with the program's names, so these modules
// are not exported.
@_exported public import BatonJobs
@_exported public import JobRunner
