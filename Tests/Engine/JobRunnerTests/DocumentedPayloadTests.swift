import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Compiles and runs the jobs of docs/guides/changing-payloads.md, with the payloads of both
/// releases.
@Suite struct DocumentedPayloadTests {
  /// Returns the page's calls for some jobs, without changes.
  private func documentedCalls(of jobs: [String]) throws -> [String] {
    let page = Checkout.root.appending(path: "docs/guides/changing-payloads.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    return text.matches(of: /\n(select enqueue\([^;]+);/).map { String($0.output.1) }
      .filter { call in jobs.contains { call.contains("'\($0)'") } }
  }

  @Test func `payloads of the older and of the newer release are decoded`() async throws {
    let jobs = [
      RegisteredJob(SendInvoice.self) { Post(transaction: $0) },
      RegisteredJob(SendReceipt.self) { Post(transaction: $0) },
    ]
    try await JobTest.noting(jobs) { test in
      let calls = try documentedCalls(of: ["send-invoice", "send-receipt"])
      #expect(calls.count == 4)
      for call in calls { try await test.sql(call) }
      #expect(try await test.drain() == 0)
      #expect(
        try await test.noted().sorted() == [
          "\"Ann in en@1\"", "\"Ben in de@1\"", "\"receipt to ann@example.org@1\"",
          "\"receipt to ben@example.org@1\"",
        ])
    }
    // The newer release writes the new name.
    let written = try JSONEncoder().encode(SendReceipt(email: "x"))
    #expect(String(decoding: written, as: UTF8.self) == "{\"email\":\"x\"}")
  }
}

extension DocumentedPayloadTests {
  @Test func `calls with both names of a renamed job become one run`() async throws {
    try await JobTest.noting([RegisteredJob(BillCustomer.self) { Post(transaction: $0) }]) { test in
      let calls = try documentedCalls(of: ["charge-customer", "bill-customer"])
      #expect(calls.count == 2)
      for call in calls { try await test.sql(call) }
      #expect(try await test.drain() == 0)
      #expect(try await test.noted() == ["\"bill to ann@1\""])
    }
  }
}

private struct BillCustomer: BatchJob {
  static let definition = Definition<Self>("bill-customer", formerly: ["charge-customer"])

  static func run(_ batch: [Run<Self>], in post: Post) async throws {
    for run in batch { try await post.note("bill to \(run.key)", batch.count) }
  }
}

private struct Post: Sendable {
  let transaction: Transaction

  func note(_ text: String, _ count: Int) async throws {
    try await PacedContext(transaction: transaction).note(text, count)
  }
}

private struct SendInvoice: BatchJob {
  static let definition = Definition<Self>("send-invoice")

  let customer: String
  /// The field is missing in runs of release 1.
  let language: String?

  static func run(_ batch: [Run<Self>], in post: Post) async throws {
    for run in batch {
      try await post.note("\(run.payload.customer) in \(run.payload.language ?? "en")", 1)
    }
  }
}

private struct SendReceipt: BatchJob {
  static let definition = Definition<Self>("send-receipt")

  let email: String

  static func run(_ batch: [Run<Self>], in post: Post) async throws {
    for run in batch { try await post.note("receipt to \(run.payload.email)", 1) }
  }
}

extension SendReceipt {
  /// The name of the field in release 1.
  private enum OldKeys: CodingKey { case address }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let old = try decoder.container(keyedBy: OldKeys.self)
    email =
      try fields.decodeIfPresent(String.self, forKey: .email)
      ?? old.decode(String.self, forKey: .address)
  }
}
