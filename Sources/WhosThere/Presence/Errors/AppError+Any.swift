import Foundation

extension AppError {
  /// What any error means to the app.
  ///
  /// Errors of URL loading and of Core Location are recognised by domain and code, so that this module needs neither.
  public init(_ error: any Error) {
    if let error = error as? AppError {
      self = error
      return
    }
    let known = error as NSError
    switch known.domain {
    case "NSURLErrorDomain" where Self.urlCodes.contains(known.code): self = .networkUnavailable
    case "NSPOSIXErrorDomain" where Self.socketCodes.contains(known.code):
      self = .networkUnavailable
    case "kCLErrorDomain" where known.code == 1: self = .locationDenied
    // The position is unknown for now, or the network that would have given it is missing.
    case "kCLErrorDomain" where [0, 2].contains(known.code): self = .locationUnavailable
    default: self = .serverError(underlying: error)
    }
  }

  /// Timed out, no such host, no way to it, lost, no answer of the name server, roaming, in a call, no data.
  private static let urlCodes: Set = [
    -1_001, -1_003, -1_004, -1_005, -1_006, -1_009, -1_018, -1_019, -1_020,
  ]

  /// The same of plain sockets.
  private static let socketCodes: Set<Int> = Set(
    [
      POSIXErrorCode.ENETDOWN, .ENETUNREACH, .ECONNABORTED, .ECONNRESET, .ETIMEDOUT, .ECONNREFUSED,
      .EHOSTDOWN, .EHOSTUNREACH, .EPIPE, .ENOTCONN,
    ].map { Int($0.rawValue) })
}
