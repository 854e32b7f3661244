extension WorkerContext {
  /// Creates a thread pool that logs a warning if the operating system rejects a thread.
  func threadPool(_ count: Int, name: String) -> ThreadPool {
    let warn: @Sendable () -> Void = { [failures, logger] in
      failures.note(
        """
        the operating system refused a thread (\(name)), trying again; end other programs, allow \
        more threads (TasksMax of a systemd unit, the pids limit of a container), or lower the \
        concurrency of effect jobs
        """, with: logger)
    }
    return ThreadPool(count, name: name, isRefused: warn)
  }
}
