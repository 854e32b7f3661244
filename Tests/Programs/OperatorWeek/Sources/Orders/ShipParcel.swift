import BatonJobs
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests the shipping of each new parcel from the carrier.
struct ShipParcel: EffectJob {
  static let definition = Definition<Self>(
    "ship-parcel", on: [.table("parcel", on: .insert, key: "id")], concurrency: 20,
    timeout: .seconds(10))

  /// The parcel's id.
  typealias Key = Int64

  static func perform(_ run: Run<Self>, in carrier: Carrier) async throws {
    try await carrier.ship(run.key, idempotencyKey: "\(run.id)")
  }
}

/// The carrier at the address `CARRIER_URL`.
struct Carrier: Sendable {
  func ship(_ parcel: Int64, idempotencyKey: String) async throws {
    let address = ProcessInfo.processInfo.environment["CARRIER_URL"]
    guard let url = address.flatMap(URL.init(string:)) else { throw Failure() }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue(idempotencyKey, forHTTPHeaderField: "Idempotency-Key")
    request.httpBody = Data("\(parcel)".utf8)
    // See `Webhook.post` for the reason why each request has its own session.
    let session = URLSession(configuration: .ephemeral)
    defer { session.finishTasksAndInvalidate() }
    let (_, response) = try await session.data(for: request)
    guard (response as? HTTPURLResponse)?.statusCode == 204 else { throw Failure() }
  }

  struct Failure: Error {}
}
