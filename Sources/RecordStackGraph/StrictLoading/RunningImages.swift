#if DEBUG && os(Linux)
    import FoundationEssentials
    import RecordStackPlatform
    import Runtime

    /// The executable files whose code this process runs.
    ///
    /// `ImageMap.capture()` opens every mapped file to check whether it is executable. The program
    /// would crash there if another thread unmaps a file meanwhile, as SQLite does with the index
    /// of its WAL.
    enum RunningImages {
        private struct Image {
            var base: UInt64
            var end: UInt64
            let path: String
        }

        /// The current executable images.
        ///
        /// Nil if the kernel does not list them, or if the toolchain encodes such a map in another
        /// form.
        static var current: ImageMap? {
            let images = images(in: CurrentProcess.memoryMaps)
            guard let form = try? JSONEncoder().encode(encoded(images).base64EncodedString()),
                let map = try? JSONDecoder().decode(ImageMap.self, from: form)
            else { return nil }
            return map.map(\.path) == images.map(\.path) ? map : nil
        }

        /// Returns the adjacent mappings of each file of which one is executable.
        private static func images(in maps: String) -> [Image] {
            var images: [Image] = []
            var (path, base, end) = (Substring(), UInt64(0), UInt64(0))
            for line in maps.split(separator: "\n") {
                // The fields are addresses, permissions, offset, device, inode and path, which may
                // contain spaces.
                let fields = line.split(separator: " ", maxSplits: 5)
                let addresses = fields[0].split(separator: "-").map { UInt64($0, radix: 16) ?? 0 }
                guard fields.count == 6, addresses.count == 2, fields[4] != "0" else { continue }
                let file = fields[5].drop { $0 == " " }
                if file != path || addresses[0] != end { (path, base) = (file, addresses[0]) }
                end = addresses[1]
                if !fields[1].contains("x") { continue }
                if images.last?.base == base { images.removeLast() }
                images.append(Image(base: base, end: end, path: String(path)))
            }
            return images
        }

        /// Returns Swift's compact form of an image map, with the platform in front.
        ///
        /// See CompactImageMapFormat.md in the compiler's documentation.
        private static func encoded(_ images: [Image]) -> Data {
            let platform = "Linux"
            var bytes: [UInt8] = [0x02, UInt8(platform.utf8.count)] + platform.utf8
            bytes += encoded(count: images.count)
            for image in images {
                // The base has eight bytes, the size of the text has eight bytes, and there is no
                // build ID.
                bytes.append(0x3F)
                for value in [image.base, image.end - image.base] {
                    bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
                }
                bytes.append(0)
                var path = Array(image.path.utf8)[...]
                while !path.isEmpty {
                    let part = path.prefix(63)
                    bytes.append(UInt8(part.count))
                    bytes += part
                    path = path.dropFirst(63)
                }
                bytes.append(0)
            }
            return Data(bytes)
        }

        /// Returns a count with seven bits in each byte, the highest first.
        ///
        /// All bytes but the last have the top bit set.
        private static func encoded(count: Int) -> [UInt8] {
            var bytes = [UInt8(count & 0x7F)]
            var rest = count >> 7
            while rest > 0 {
                bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
                rest >>= 7
            }
            return bytes
        }
    }
#endif
