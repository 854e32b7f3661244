#if HTTP
  import CZlib

  /// Compression of response bodies.
  enum Gzip {
    /// The number of bytes above which a body is compressed.
    ///
    /// A body of up to 1,024 bytes usually fits into one packet.
    static let shortest = 1_024

    /// Returns the bytes in the gzip format, or nil if compression does not reduce the number of
    /// bytes.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
      var stream = z_stream()
      // In zlib, 15 is the window size in bits, and adding 16 selects the gzip format.
      guard
        deflateInit2_(
          &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
          Int32(MemoryLayout<z_stream>.size)) == Z_OK
      else { return nil }
      defer { deflateEnd(&stream) }
      var input = bytes
      var output = [UInt8](repeating: 0, count: bytes.count)
      let status = input.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
          (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
          (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
          return deflate(&stream, Z_FINISH)
        }
      }
      guard status == Z_STREAM_END else { return nil }
      return Array(output.prefix(Int(stream.total_out)))
    }
  }

  extension APIReply {
    /// Returns the response with a compressed body if the client accepts gzip and the body is long
    /// enough.
    ///
    /// The `ETag` does not change, because a weak `ETag` is the same for all encodings. The events
    /// of a stream are never compressed, because the compressor would delay them.
    func compressed(for request: APIRequest) -> APIReply {
      guard let body, body.count > Gzip.shortest, type != "text/event-stream", request.acceptsGzip,
        let shorter = Gzip.compressed(body)
      else { return self }
      var reply = self
      reply.body = shorter
      reply.headers["content-encoding"] = "gzip"
      return reply
    }
  }
#endif
