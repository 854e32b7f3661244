#if HTTP
  import Baton
  import BatonLive
  import Synchronization

  /// Limits each client's number of requests per minute.
  ///
  /// A client may send a whole minute's requests in one burst. After a burst, requests become
  /// available again evenly over a minute.
  final class RequestLimiter: Sendable {
    /// A client, which is a user or the address of an HTTP connection.
    enum Client: Hashable {
      case user(ExactText)
      case address([UInt8])

      /// Returns the client with an IP address.
      ///
      /// All IPv6 addresses with the same first 64 bits count as one client.
      static func at(_ address: String) -> Client {
        let bytes = IPAddress.bytes(of: address) ?? Array(address.utf8)
        return .address(bytes.count == 16 ? Array(bytes.prefix(8)) : bytes)
      }
    }

    private struct Bucket {
      var left: Double
      var at: ContinuousClock.Instant
    }

    /// The maximum number of stored clients, which limits memory use.
    private static let mostBuckets = 100_000

    private let perMinute: Double
    private let buckets = Mutex<[Client: Bucket]>([:])

    init(perMinute: Int) { self.perMinute = Double(perMinute) }

    /// Counts a request against a client's limit.
    ///
    /// - Returns: nil if the request is allowed, or the number of seconds until the next request is
    ///   allowed.
    func take(_ client: Client, at now: ContinuousClock.Instant = .now) -> Int? {
      buckets.withLock { buckets in
        let left = left(in: buckets[client], at: now)
        guard left >= 1 else { return Int(((1 - left) * 60 / perMinute).rounded(.up)) }
        if buckets[client] == nil, buckets.count >= Self.mostBuckets { makeRoom(in: &buckets, now) }
        buckets[client] = Bucket(left: left - 1, at: now)
        return nil
      }
    }

    private func left(in bucket: Bucket?, at now: ContinuousClock.Instant) -> Double {
      guard let bucket else { return perMinute }
      return min(perMinute, bucket.left + bucket.at.duration(to: now) / .seconds(60) * perMinute)
    }

    /// Removes each client whose bucket is full, because a client without a bucket also starts with
    /// a full one.
    ///
    /// If too many clients remain, the oldest tenth is also removed.
    private func makeRoom(in buckets: inout [Client: Bucket], _ now: ContinuousClock.Instant) {
      buckets = buckets.filter { left(in: $0.value, at: now) < perMinute }
      guard buckets.count >= Self.mostBuckets else { return }
      let oldest = buckets.sorted { $0.value.at < $1.value.at }.prefix(Self.mostBuckets / 10)
      for (client, _) in oldest { buckets[client] = nil }
    }
  }
#endif
