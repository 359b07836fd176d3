#if canImport(Glibc) && !PortablePlatform
    import Dispatch
    import Glibc
    import Synchronization

    /// A watch on files that calls back when a process writes to one of them (inotify(7)).
    ///
    /// It runs no code while the files stay unchanged. The process shares one instance, because the
    /// system limits the number of instances for a user.
    package final class FileWatch: Sendable {
        package static let shared = FileWatch()

        private struct Listener: Sendable {
            let file: Int32
            let notify: @Sendable () -> Void
        }

        private let listeners = Mutex<[Int: Listener]>([:])
        private let last = Atomic(0)
        private let descriptor: Int32
        // `nonisolated(unsafe)`: the initializer sets it, and afterwards only the queue uses it.
        nonisolated(unsafe) private let source: (any DispatchSourceRead)?
        private static let queue = DispatchQueue(label: "RecordStack.files")

        /// The time after an event during which the watch reads no further event.
        ///
        /// The system merges waiting events. A program that saves without a pause therefore wakes
        /// this queue a few times, not once for each save.
        private static var pause: DispatchTimeInterval { .milliseconds(5) }

        private init() {
            descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
            source =
                descriptor < 0
                ? nil : DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Self.queue)
            source?.setEventHandler { [unowned self] in handleEvents() }
            source?.resume()
        }

        /// Watches a file.
        ///
        /// - Returns: the number to pass to ``end(_:)``; nil if the system cannot watch the file.
        package func watch(_ path: String, _ notify: @escaping @Sendable () -> Void) -> Int? {
            if descriptor < 0 { return nil }
            return listeners.withLock { listeners in
                let file = inotify_add_watch(descriptor, path, UInt32(IN_MODIFY))
                if file < 0 { return nil }
                let number = last.add(1, ordering: .relaxed).newValue
                listeners[number] = Listener(file: file, notify: notify)
                return number
            }
        }

        /// Ends a watch.
        package func end(_ number: Int) {
            listeners.withLock { listeners in
                guard let listener = listeners.removeValue(forKey: number) else { return }
                // Two stacks on one file share a watch of the system.
                if listeners.values.contains(where: { $0.file == listener.file }) { return }
                inotify_rm_watch(descriptor, listener.file)
            }
        }

        private func handleEvents() {
            let files = readEvents()
            let called = listeners.withLock { listeners in
                // -1 means that the system dropped events, so any file may have changed.
                listeners.values.filter { files.contains($0.file) || files.contains(-1) }
            }
            for listener in called { listener.notify() }
            source?.suspend()
            Self.queue.asyncAfter(deadline: .now() + Self.pause) { [self] in source?.resume() }
        }

        private func readEvents() -> Set<Int32> {
            var files: Set<Int32> = []
            withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
                while true {
                    let count = read(descriptor, buffer.baseAddress, buffer.count)
                    if count <= 0 { return }
                    var offset = 0
                    while offset + MemoryLayout<inotify_event>.size <= count {
                        let event = UnsafeRawBufferPointer(buffer)
                            .loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                        files.insert(event.wd)
                        offset += MemoryLayout<inotify_event>.size + Int(event.len)
                    }
                }
            }
            return files
        }
    }
#else
    /// The form for a system that cannot watch files: its callers poll instead.
    package struct FileWatch: Sendable {
        package static let shared = FileWatch()

        /// Returns nil, because the system cannot watch files.
        package func watch(_ path: String, _ notify: @escaping @Sendable () -> Void) -> Int? { nil }

        package func end(_ number: Int) {}
    }
#endif
