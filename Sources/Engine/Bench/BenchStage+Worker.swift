package import JobRunner

extension BenchStage {
  /// Returns a worker for all jobs, with one executor per connection of the case.
  package func worker() -> Worker {
    Worker(
      jobs, on: configuration, schema: schema,
      options: Worker.Options(concurrency: connections), logger: Drain.logger)
  }
}
