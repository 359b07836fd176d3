#if DEBUG && os(Linux)
    import FoundationEssentials
    import Runtime
#endif

/// The source location that called into this package.
enum CallSite {
    /// The file and line of the innermost frame outside of this package and its macros.
    ///
    /// Nil without debug information. Also nil in release builds, which do not link the module that
    /// reads debug information.
    static var current: String? {
        #if DEBUG && os(Linux)
            guard let images = RunningImages.current,
                let trace = try? Backtrace.capture(limit: 24, top: 0, images: images)
            else { return nil }
            for frame in trace.symbolicatedFrames {
                guard let symbol = frame.symbol, let location = symbol.sourceLocation,
                    !isOurs(location.path)
                else { continue }
                let line = location.line > 0 ? location.line : trace.line(before: frame, in: symbol)
                return line.map { "\(location.path):\($0)" } ?? "\(symbol.name) in \(location.path)"
            }
        #endif
        return nil
    }

    #if DEBUG && os(Linux)
        /// Whether a source belongs to this package, to no file, or to a macro.
        private static func isOurs(_ path: String) -> Bool {
            path.hasPrefix(sources) || path.contains("@__swiftmacro_") || path.hasSuffix(">")
        }

        /// The folder of the package's targets.
        private static let sources: String = {
            let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
            return parts.dropLast(3).joined(separator: "/") + "/RecordStack"
        }()
    #endif
}

#if DEBUG && os(Linux)
    extension Backtrace {
        /// The frames with their source locations, without inlined functions, which take long.
        fileprivate var symbolicatedFrames: [SymbolicatedBacktrace.Frame] {
            symbolicated(options: [.showSourceLocations, .useSymbolCache])?.frames ?? []
        }

        /// Returns the line of the code in a function just before a frame's address.
        ///
        /// The compiler gives no line to the calls by which a loop gets its iterator. The code
        /// before these calls computes the sequence of the loop.
        fileprivate func line(
            before frame: SymbolicatedBacktrace.Frame, in symbol: SymbolicatedBacktrace.Symbol
        ) -> Int? {
            guard let address = UInt64(frame.captured.adjustedProgramCounter),
                let trace = replacingFrames(downFrom: address)
            else { return nil }
            for frame in trace.symbolicatedFrames {
                guard let found = frame.symbol, found.rawName == symbol.rawName else { continue }
                if let line = found.sourceLocation?.line, line > 0 { return line }
            }
            return nil
        }

        /// Returns the addresses below an address, as a trace.
        ///
        /// A trace can be created only from its encoded form. The form has one byte for the size of
        /// addresses. For each address, it has a byte with the kind and length, and the distance
        /// from the address before.
        private func replacingFrames(downFrom address: UInt64) -> Backtrace? {
            var bytes: [UInt8] = [0x02, 0x17]
            bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: address >> ($0 * 8)) }
            for _ in 0..<Self.steps { bytes += [0x10, UInt8(bitPattern: -4)] }
            do {
                var form = try JSONDecoder().decode(
                    [String: String].self, from: JSONEncoder().encode(self))
                form["backtrace"] = Data(bytes).base64EncodedString()
                return try JSONDecoder().decode(Backtrace.self, from: JSONEncoder().encode(form))
            } catch {
                // Another toolchain has another encoded form. The function's name must do then.
                return nil
            }
        }

        private static var steps: Int { 24 }
    }
#endif
