// For its jobs and its worker, a program needs only `import Baton`. A file that defines commands
// must also import ArgumentParser. A file that sends SQL statements must also import BatonPostgres.
// Baton does not export ArgumentParser or BatonPostgres, because their names, such as `Flag` and
// `Row`, could collide with the program's names.
@_exported public import BatonJobs
@_exported public import JobRunner
