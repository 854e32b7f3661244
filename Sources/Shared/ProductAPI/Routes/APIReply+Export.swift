#if HTTP
  package import ProductPostgres

  extension APIReply {
    /// Returns a response that sends an export in pieces.
    ///
    /// The body is one JSON object with a list of rows for each part of the export. If the first
    /// piece cannot be read, the method throws the error. If a later piece cannot be read, the
    /// connection is closed before the body is complete.
    ///
    /// - Parameter read: reads the piece at a position, or the first piece if the position is nil.
    package static func export(
      _ read: @escaping @Sendable (_ after: String?) async throws -> ExportPiece
    ) async throws -> APIReply {
      let text = ExportText(first: try await read(nil), read)
      return APIReply(200, pieces: APIPieces(unfolding: { try await text.next() }))
    }
  }

  /// The JSON text of an export, piece by piece.
  private actor ExportText {
    /// The piece that is written next.
    private enum Coming {
      case read(ExportPiece)
      case at(String)
      case none
    }

    private var coming: Coming
    private var part: String?
    private let read: @Sendable (String?) async throws -> ExportPiece

    init(
      first: ExportPiece, _ read: @escaping @Sendable (String?) async throws -> ExportPiece
    ) {
      coming = .read(first)
      self.read = read
    }

    /// Returns the bytes of the next piece, or nil after the last piece.
    func next() async throws -> [UInt8]? {
      let piece: ExportPiece
      switch coming {
      case .read(let first): piece = first
      case .at(let position): piece = try await read(position)
      case .none: return nil
      }
      // Each piece is a JSON list in brackets. Without the brackets, several pieces can form one
      // list.
      let rows = piece.rows.dropFirst().dropLast()
      var text = ""
      if piece.part == part {
        text = rows.isEmpty ? "" : ","
      } else {
        text = (part == nil ? "{" : "],") + "\"\(piece.part)\":["
      }
      text += rows
      part = piece.part
      if let position = piece.next {
        coming = .at(position)
      } else {
        coming = .none
        text += "]}"
      }
      return Array(text.utf8)
    }
  }
#endif
