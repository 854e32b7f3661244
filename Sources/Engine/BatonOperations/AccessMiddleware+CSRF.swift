/// The protection against cross-site request forgery (CSRF). In a CSRF attack, a hostile page makes
/// a browser send a request for a change.
extension AccessMiddleware {
  /// Returns whether a POST request comes from a page on this server, or from a program that is not
  /// a browser.
  ///
  /// A server on another port of this machine has the same host name as this server. If a page from
  /// a server on another port submits a form, a browser sends this server's cookie with the form.
  func isSameOrigin(_ request: Request) -> Bool {
    request.fetchSites.allSatisfy { $0 == "same-origin" }
      && request.origins.allSatisfy { origin in
        guard let scheme = origin.firstRange(of: "://"), let host = request.hosts.first else {
          return false
        }
        return origin[scheme.upperBound...].lowercased() == host.lowercased()
      }
  }

  /// Returns whether a GET request comes from this server, from a program, or from a navigation of
  /// the browser's window.
  ///
  /// Without this check, a page on another site could send requests to a local server that requires
  /// no credentials. A page on another site could not read the response, but its request would
  /// still cause Baton to execute database statements. Health checks are exempt, because they
  /// execute no database statements.
  func isAllowedRead(_ request: Request) -> Bool {
    request.path.hasPrefix("/health/")
      || request.fetchSites.allSatisfy { ["same-origin", "none"].contains($0) }
      || request.isNavigation && !request.fetchModes.isEmpty
        && request.fetchDestinations.allSatisfy { $0 == "document" }
  }

  /// Returns whether a POST request contains the principal's CSRF token.
  ///
  /// The result is true for a principal without a CSRF token.
  func hasToken(_ request: Request, of principal: Principal) -> Bool {
    guard let token = principal.formToken else { return true }
    return token.isEqual(to: request.formToken)
  }
}
