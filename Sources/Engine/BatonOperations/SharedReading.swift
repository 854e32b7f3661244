/// A value that is read once for all concurrent requests, and is reused for a given time.
///
/// A thousand concurrent requests cause the same database load as one request.
actor SharedReading<Value: Sendable> {
  private let pause: Duration
  private let read: @Sendable () async -> Value
  private var last: (value: Value, at: ContinuousClock.Instant)?
  private var reading: Task<Value, Never>?

  /// Creates a shared value that has not been read yet.
  ///
  /// - Parameters:
  ///   - pause: how long a value is reused.
  ///   - read: returns a new value. The closure must return within a short time.
  init(atMostEvery pause: Duration, read: @escaping @Sendable () async -> Value) {
    self.pause = pause
    self.read = read
  }

  /// Returns the last value if its age is less than `pause`, or otherwise a new value.
  func value() async -> Value {
    if let reading { return await reading.value }
    if let last, last.at.duration(to: .now) < pause { return last.value }
    let task = Task { [read] in await read() }
    reading = task
    let value = await task.value
    last = (value, .now)
    reading = nil
    return value
  }
}

extension Task where Failure == Never {
  /// Returns the task's value, or nil if the task takes longer than the time limit.
  ///
  /// The method does not cancel the task.
  func value(within patience: Duration) async -> Success? {
    let (stream, first) = AsyncStream<Success?>.makeStream(bufferingPolicy: .bufferingOldest(1))
    let waiting = Task<Void, Never> { first.yield(await value) }
    let timing = Task<Void, Never> {
      try? await Task<Never, Never>.sleep(for: patience)
      first.yield(nil)
    }
    defer {
      waiting.cancel()
      timing.cancel()
    }
    for await value in stream { return value }
    return nil
  }
}
