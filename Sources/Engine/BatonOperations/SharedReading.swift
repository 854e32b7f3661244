/// A value that is read once for all requests that arrive at the same time, and at most once per pause.
///
/// A thousand requests therefore cost the server as much as one.
actor SharedReading<Value: Sendable> {
  private let pause: Duration
  private let read: @Sendable () async -> Value
  private var last: (value: Value, at: ContinuousClock.Instant)?
  private var reading: Task<Value, Never>?

  /// - Parameters:
  ///   - pause: how long a value is reused.
  ///   - read: must end by itself within a short time.
  init(atMostEvery pause: Duration, read: @escaping @Sendable () async -> Value) {
    self.pause = pause
    self.read = read
  }

  /// A value that is read now, or one that is younger than the pause.
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
  /// The task's value; nil if the task takes longer.
  ///
  /// The task goes on until its owner cancels it.
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
