import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import Synchronization
import TestSupport
import Testing

@testable import JobRunner

/// Compiles and runs the middleware of docs/guides/middleware.md.
@Suite struct DocumentedMiddlewareTests {
  static let jobs = [
    RegisteredJob(SendInvoice.self) { _ in Mail() }
  ].around(ErrorReports.report)

  static let traced = jobs.around(Tenant.set)

  @Test func `an error is reported with its job and its run, and the tenant is set`() async throws {
    try await TestSchema.run(Self.traced) { test in
      for key in ["acme/17", "umbrella/3"] {
        try await test.sql("select enqueue('send-invoice', '\(key)')")
      }
      #expect(try await test.drain() == 1)
      let id = try #require(try await test.sql("select id from dead_run").first)
      #expect(
        Reports.shared.all
          == ["send-invoice, [\"\(id) (attempt 1 of 1)\"]: umbrella pays on paper"])
      #expect(Mail.sent.all == ["acme"])
    }
  }
}

private enum ErrorReports {
  static func report(
    _ attempt: AttemptInfo, _ next: @Sendable () async throws -> Void
  ) async throws {
    do {
      try await next()
    } catch {
      let runs = attempt.runs.map { "\($0.id) (attempt \($0.attempt) of \(attempt.attempts))" }
      if !(error is Snooze) { Reports.shared.add("\(attempt.job), \(runs): \(error)") }
      throw error
    }
  }
}

private enum Tenant {
  @TaskLocal static var current: String?

  static func set(
    _ attempt: AttemptInfo, _ next: @Sendable () async throws -> Void
  ) async throws {
    let tenant = attempt.runs[0].key.split(separator: "/").first.map(String.init)
    try await $current.withValue(tenant) { try await next() }
  }
}

private struct SendInvoice: EffectJob {
  static let definition = Definition<Self>(
    "send-invoice", retry: .attempts(1, exponentialFrom: .zero, to: .zero))

  static func perform(_ run: Run<Self>, in mail: Mail) async throws {
    try mail.send()
  }
}

/// A list of texts, for one test.
private final class Reports: Sendable {
  static let shared = Reports()

  private let list = Mutex<[String]>([])

  var all: [String] { list.withLock { $0 } }

  func add(_ text: String) { list.withLock { $0.append(text) } }
}

private struct Mail: Sendable {
  static let sent = Reports()

  func send() throws {
    let tenant = Tenant.current ?? "no tenant"
    guard tenant != "umbrella" else { throw TestFailure("\(tenant) pays on paper") }
    Self.sent.add(tenant)
  }
}
