import ArgumentParser

/// What `status` takes for wrong.
struct StatusThresholds: ParsableArguments, Sendable {
  @Option(
    help: "Seconds that a write may wait for its work beyond the job's debounce: warning:critical.")
  var freshness = Threshold(60, 600)

  @Option(help: "Seconds that a due run may wait for a worker.")
  var due = Threshold(60, 600)

  @Option(help: "Seconds that an event may wait to be folded.")
  var folding = Threshold(30, 300)

  @Option(help: "Seconds that a schedule may be late.")
  var late = Threshold(60, 600)

  @Option(help: "Dead runs of one job.")
  var dead = Threshold(1, 1_000)

  @Option(help: "Failed attempts of a run that is being retried.")
  var attempts = Threshold(8)

  @Option(help: "Workers that were lost and that nobody has taken over from.")
  var lost = Threshold(1)

  @Option(help: "How many workers have to be there; 0 where cron works.")
  var workers = 1

  @Option(help: "Seconds that a transaction of this database may be open.")
  var transaction = Threshold(600, 3_600)

  @Option(help: "Per cent of the server's connections in use.")
  var connections = Threshold(80, 95)
}
