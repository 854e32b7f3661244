/// What is read once for everybody who asks at the same time, and no more often than once in a while: a thousand
/// requests cost the server what one does.
actor SharedReading<Value: Sendable> {
  private let pause: Duration
  private let read: @Sendable () async -> Value
  private var last: (value: Value, at: ContinuousClock.Instant)?
  private var reading: Task<Value, Never>?

  /// - Parameters:
  ///   - pause: how long a value stands for the next one.
  ///   - read: must end by itself, soon.
  init(atMostEvery pause: Duration, read: @escaping @Sendable () async -> Value) {
    self.pause = pause
    self.read = read
  }

  /// The value now, or one that is younger than the pause.
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
  /// Its value; nil where that takes longer.
  ///
  /// It goes on, unless somebody cancels it.
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
