import ArgumentParser

/// The thresholds of the `status` command.
struct StatusThresholds: ParsableArguments, Sendable {
  @Option(
    help:
      "The seconds that a write may wait for its job, beyond the job's debounce, as WARNING:CRITICAL."
  )
  var freshness = Threshold(60, 600)

  @Option(help: "The seconds that a due run may wait for a worker.")
  var due = Threshold(60, 600)

  @Option(help: "The seconds that an event may wait until it is dispatched.")
  var folding = Threshold(30, 300)

  @Option(help: "The seconds that a schedule may be late.")
  var late = Threshold(60, 600)

  @Option(help: "The number of dead runs of one job.")
  var dead = Threshold(1, 1_000)

  @Option(help: "The number of failed attempts of a run that is being retried.")
  var attempts = Threshold(8)

  @Option(help: "The number of lost workers whose runs no other worker has taken over.")
  var lost = Threshold(1)

  @Option(help: "The number of workers that must be running; 0 if cron executes the jobs.")
  var workers = 1

  @Option(help: "The seconds that a transaction of this database may be open.")
  var transaction = Threshold(600, 3_600)

  @Option(help: "The percentage of the server's connections in use.")
  var connections = Threshold(80, 95)
}
