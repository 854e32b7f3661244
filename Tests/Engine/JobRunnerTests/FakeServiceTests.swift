import JobTesting
import TestSupport
import Testing

/// Tests the fake service, without a server.
@Suite struct FakeServiceTests {
  private struct Broken: Error {}

  private let service = FakeService<Int, String> { "performed \($0)" }

  /// Returns the text of the error that an expectation throws.
  private func failure(_ keys: [String]) throws -> String {
    do { try service.expectPerformed(keys) } catch { return "\(error)" }
    throw TestFailure("the expectation is met")
  }

  @Test func `a key is performed once, and later requests get the first response`() async throws {
    for _ in 1...2 {
      #expect(try await service.send(1, idempotencyKey: "a") == "performed 1")
    }
    #expect(try await service.send(2, idempotencyKey: "b") == "performed 2")
    #expect(service.receivedKeys == ["a", "a", "b"])
    #expect(service.performedRequests == [1, 2])
    try service.expectPerformed(["b", "a"])
  }

  @Test func `the answers are given in order, and then the service responds`() async throws {
    service.answerNext(.fail(Broken()), .respond)
    service.answerNext(.fail(Broken()))
    await #expect(throws: Broken.self) { try await service.send(1, idempotencyKey: "a") }
    #expect(try await service.send(1, idempotencyKey: "a") == "performed 1")
    await #expect(throws: Broken.self) { try await service.send(2, idempotencyKey: "b") }
    try service.expectPerformed(["a"])
    #expect(try await service.send(2, idempotencyKey: "b") == "performed 2")
  }

  @Test func `a request whose response is lost was performed`() async throws {
    service.answerNext(.loseResponse(Broken()))
    await #expect(throws: Broken.self) { try await service.send(1, idempotencyKey: "a") }
    try service.expectPerformed(["a"])
    #expect(try await service.send(1, idempotencyKey: "a") == "performed 1")
    #expect(service.performedRequests == [1])
  }

  @Test func `a service that hangs ends when its caller is cancelled`() async throws {
    service.answerNext(.hang)
    let caller = Task { try await service.send(1, idempotencyKey: "a") }
    caller.cancel()
    await #expect(throws: CancellationError.self) { try await caller.value }
    #expect(service.receivedKeys == ["a"])
    try service.expectPerformed([])
  }

  @Test func `a key that is sent with two requests is an error of the job`() async throws {
    _ = try await service.send(1, idempotencyKey: "a")
    await #expect(throws: (any Error).self) { try await service.send(2, idempotencyKey: "a") }
    #expect(try failure(["a"]).contains("'a' was sent with two different requests"))
  }

  @Test func `an expectation that is not met lists the requests`() async throws {
    _ = try await service.send(1, idempotencyKey: "a")
    let text = try failure(["b"])
    #expect(text.contains("FakeServiceTests.swift:"), "\(text)")
    #expect(
      text.contains(#"not performed: ["b"], performed in addition: ["a"]"#), "\(text)")
    #expect(text.contains("'a': 1"), "\(text)")
  }
}
