import BatonJobs
import BatonPostgres
import BenchSQL
import JobRunner

/// The `effects` case, in which one worker performs effects that do nothing, up to 1,000 at a time.
///
/// The raw side is a worker that processes the same number of runs of a batch job. Each effect is
/// claimed, performed in a separate task, and then completed in a durable transaction.
struct EffectsCase: BenchCase {
  let name = "effects"
  let unit = "runs/s"
  private static let runs = BenchSize("effects", 50_000, quick: 2_000, "runs of effects")

  var sizes: [BenchSize] { [Self.runs] }

  func writes(_ options: BenchOptions) -> String {
    "\(counted(options[Self.runs], "run")) on each side"
  }

  func prepare(_ stage: BenchStage) async throws {
    try await stage.define([NoOp.registered, NoOpEffect.registered])
  }

  func measure(_ side: BenchSide, on stage: BenchStage) async throws -> Double {
    let job = side == .ours ? NoOpEffect.registered : NoOp.registered
    let runs = stage.options[Self.runs]
    let drain = Drain(stage)
    try await drain.fill(runs, of: job.definition.name)
    return try await drain.measure(runs, of: [job])
  }
}

/// The `tenants` case, which measures effects with a limit per tenant.
///
/// Each of many tenants has a backlog.
///
/// The raw side performs the effects without the limit per tenant.
struct TenantsCase: BenchCase {
  let name = "tenants"
  let unit = "runs/s"
  private static let tenants = BenchSize("tenants", 10_000, quick: 100, "tenants with a backlog")
  private static let perTenant = BenchSize("tenant-runs", 5, quick: 5, "runs of each tenant")

  var sizes: [BenchSize] { [Self.tenants, Self.perTenant] }

  func writes(_ options: BenchOptions) -> String {
    "\(counted(options[Self.tenants] * options[Self.perTenant], "run")) on each side"
  }

  func prepare(_ stage: BenchStage) async throws {
    try await stage.define([NoOpEffect.registered, NoOpTenantEffect.registered])
  }

  func measure(_ side: BenchSide, on stage: BenchStage) async throws -> Double {
    let (tenants, perTenant) = (stage.options[Self.tenants], stage.options[Self.perTenant])
    let drain = Drain(stage)
    guard side == .ours else {
      try await drain.fill(tenants * perTenant, of: NoOpEffect.registered.definition.name)
      return try await drain.measure(tenants * perTenant, of: [NoOpEffect.registered])
    }
    let job = NoOpTenantEffect.registered
    try await stage.emptyRuns()
    _ = try await stage.run(
      .count(SQL.Drain.fillTenants, job.definition.name, Int64(tenants), Int64(perTenant)))
    try await stage.settle()
    return try await drain.measure(tenants * perTenant, of: [job])
  }
}
