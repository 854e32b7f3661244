import BatonJobs

/// Sends an email.
///
/// Each tenant has its own limits, so a tenant with many emails does not delay other tenants.
struct SendMail: EffectJob {
  static let definition = Definition<Self>(
    "send-mail", concurrency: 20,
    limits: [
      .concurrency(2, per: .payload("tenant")), .perSecond(20, burst: 20, per: .payload("tenant")),
    ])

  let tenant: Int64
  let to, about: String

  static func perform(_ run: Run<Self>, in provider: Provider) async throws {
    let mail = run.payload
    try await provider.deliver(
      "mail to \(mail.to): \(mail.about)", of: mail.tenant, idempotencyKey: "\(run.id)")
  }
}
