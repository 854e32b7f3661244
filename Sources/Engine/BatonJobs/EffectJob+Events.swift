extension Run where J: EffectJob {
  /// Waits until an event is sent, or until the timeout has passed, without occupying a worker.
  ///
  /// The `send_event` SQL function sends events. An event also ends the wait if it was committed
  /// after the run was enqueued and before the wait began. The wait is a durable step. If no event
  /// has been sent yet, the attempt ends with a ``Snooze``. An attempt that starts to wait is not
  /// counted, and the waiting run does not count towards any limit. After the event or the timeout,
  /// the job is performed again from the beginning, and the wait returns its stored result.
  ///
  /// ```swift
  /// guard try await run.waitForEvent("order.paid", key: run.key, timeout: .seconds(86_400)) else {
  ///   return try await cancelOrder()
  /// }
  /// ```
  /// An event resumes every run that is waiting for it. Within one run, an event ends only one
  /// wait. The first attempt stores the domain time when the timeout passes.
  ///
  /// If a test creates the run itself, the wait ends immediately with a timeout.
  ///
  /// - Parameters:
  ///   - topic: the topic of the event: 1 to 100 ASCII letters, digits, hyphens, underscores and
  ///     dots.
  ///   - key: the key of the event, which must be 1 to 256 bytes long.
  ///   - timeout: the maximum time from the first attempt to the end of the wait, at most ten
  ///     years.
  ///   - name: the name of the step, or nil to use the topic as the name. If a run waits twice for
  ///     events on the same topic, each wait needs its own name.
  /// - Returns: true after an event, and false after the timeout.
  /// - Throws: a ``Snooze``, which the job must not catch, or any error that a step throws. The
  ///   method also throws an error if an earlier attempt waited for a different event in the same
  ///   step.
  public func waitForEvent(
    _ topic: String, key: String, timeout: Duration, step name: String? = nil
  ) async throws -> Bool {
    try await header.wait(
      for: AwaitedEvent(step: name ?? topic, topic: topic, key: key, timeout: timeout)) != nil
  }

  /// Waits like ``waitForEvent(_:key:timeout:step:)``, and returns the payload of the event.
  ///
  /// ```swift
  /// let payment = try await run.waitForEvent(
  ///   "order.paid", key: run.key, timeout: .seconds(86_400), as: Payment.self)
  /// ```
  /// - Parameters:
  ///   - topic: the topic of the event.
  ///   - key: the key of the event.
  ///   - timeout: the maximum time from the first attempt to the end of the wait.
  ///   - name: the name of the step, or nil to use the topic as the name.
  ///   - type: the type of the payload. Change the type only as docs/guides/changing-payloads.md
  ///     describes, because another release of the program may decode the payload.
  /// - Returns: the payload, or nil after the timeout.
  /// - Throws: the same errors as ``waitForEvent(_:key:timeout:step:)``, or an error if the payload
  ///   cannot be decoded.
  public func waitForEvent<Payload: Decodable & Sendable>(
    _ topic: String, key: String, timeout: Duration, step name: String? = nil,
    as type: Payload.Type
  ) async throws -> Payload? {
    try await header.wait(
      for: AwaitedEvent(step: name ?? topic, topic: topic, key: key, timeout: timeout), as: type)
  }
}
