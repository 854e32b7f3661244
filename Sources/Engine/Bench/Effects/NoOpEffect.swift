import BatonJobs
import JobRunner

/// An effect job whose runs do nothing.
struct NoOpEffect: EffectJob {
  static let definition = Definition<Self>(
    "bench-effect", concurrency: 1_000, retry: .attempts(1, exponentialFrom: .zero, to: .zero))

  static func perform(_ run: Run<Self>, in context: NoOp.Nothing) async throws {}

  static let registered = RegisteredJob(NoOpEffect.self) { _ in NoOp.Nothing() }
}

/// An effect job like ``NoOpEffect``, with a limit of 5 concurrent runs per tenant.
struct NoOpTenantEffect: EffectJob {
  static let definition = Definition<Self>(
    "bench-tenant-effect", concurrency: 1_000,
    retry: .attempts(1, exponentialFrom: .zero, to: .zero),
    limits: [.concurrency(5, per: .key(part: 1, separator: "/"))])

  static func perform(_ run: Run<Self>, in context: NoOp.Nothing) async throws {}

  static let registered = RegisteredJob(NoOpTenantEffect.self) { _ in NoOp.Nothing() }
}
