#if HTTP
  import Baton
  import Foundation

  /// The server process's limit on open files.
  ///
  /// Each connection needs a file descriptor. If the descriptors run out, the server cannot accept
  /// connections, connect to the database or read keys.
  enum OpenFiles {
    /// The number of descriptors for connections to the database, files, sockets and threads.
    private static let others = 512

    /// Raises the process's limit if it is too low for the number of connections.
    ///
    /// - Throws: `Complaint` if the system does not allow the required number of open files.
    static func allow(connections: Int) throws {
      let needed = connections + others
      var limit = rlimit()
      guard getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(needed) else { return }
      let most = limit.rlim_max
      guard most >= rlim_t(needed) else { throw Complaint(openFiles: most, needed: needed) }
      limit.rlim_cur = rlim_t(needed)
      guard setrlimit(resource, &limit) == 0 else {
        throw Complaint(openFiles: most, needed: needed)
      }
    }

    #if canImport(Glibc)
      private static let resource = Int32(RLIMIT_NOFILE.rawValue)
    #else
      private static let resource = RLIMIT_NOFILE
    #endif
  }

  extension Complaint {
    fileprivate init(openFiles most: rlim_t, needed: Int) {
      self.init(
        .configuration,
        what: "The process may open only \(most) files, and the API needs \(needed).",
        place: "the hard limit of open files (ulimit -Hn)",
        next: "Set LimitNOFILE=16384 in the systemd unit, or --ulimit nofile=16384 for a container."
      )
    }
  }
#endif
