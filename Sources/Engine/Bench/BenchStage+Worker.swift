package import JobRunner

extension BenchStage {
  /// A worker for all jobs, with as many executors as the case has connections.
  package func worker() -> Worker {
    Worker(
      jobs, on: configuration, schema: schema,
      options: Worker.Options(concurrency: connections), logger: Drain.logger)
  }
}
