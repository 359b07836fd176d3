import CSQLite

/// A shim that collects a connection's writes to its log, so that a transaction is one system call.
///
/// SQLite writes each page to the log as a frame, a header of 24 bytes and the page, with one call
/// for each of the two. The shim keeps frames in memory until there are many, or until the header
/// of a frame says that it ends the transaction. The call that delivers that frame writes all
/// waiting frames and returns the result for all. SQLite therefore learns of an error while the
/// transaction can still fail, and it publishes the frames to other connections only when the file
/// has them.
///
/// Waiting frames matter only to their transaction. If it is rolled back, they are dropped,
/// because another connection may write at their offset next. The shim therefore writes them only
/// while the connection is in a write transaction. It drops them when a transaction begins and
/// when one is rolled back.
///
/// Every other write goes to the file at once, after the waiting frames. Such writes are the header
/// of a restarted log, a frame that is written again, and a header with another checksum.
package struct CoalescingLog {
    /// The methods that SQLite calls. They come first, because the file points to their address.
    private var methods: sqlite3_io_methods
    /// The file's own methods.
    private let base: UnsafePointer<sqlite3_io_methods>
    private let connection: OpaquePointer
    private let bytes: UnsafeMutableRawPointer
    private var count = 0
    /// The offset in the file at which the bytes belong.
    private var start: Int64 = 0
    /// The offset at which the last frame of this transaction ends.
    private var end: Int64 = 0
    /// True if the header of a frame waits for its page.
    private var awaitsPage = false
    private var endsTransaction = false

    /// The number of waiting bytes at which the frames are written.
    ///
    /// Together with one more frame, it must stay below 131,072, the most that SQLite's Unix layer
    /// writes with one call.
    private static let enough = 61_440
    private static let largestPage = 65_536
    private static let headerSize: Int32 = 24

    private init(
        base: UnsafePointer<sqlite3_io_methods>, connection: OpaquePointer
    ) {
        self.base = base
        self.connection = connection
        bytes = .allocate(
            byteCount: Self.enough + Self.largestPage + Int(Self.headerSize), alignment: 16)
        methods = base.pointee
        methods.xClose = { CoalescingLog.of($0).pointee.close($0) }
        methods.xRead = { CoalescingLog.of($0).pointee.read($0, $1, $2, $3) }
        methods.xWrite = { CoalescingLog.of($0).pointee.write($0, $1, $2, $3) }
        methods.xTruncate = { CoalescingLog.of($0).pointee.truncate($0, $1) }
        methods.xSync = { CoalescingLog.of($0).pointee.sync($0, $1) }
        methods.xFileSize = { CoalescingLog.of($0).pointee.size($0, $1) }
    }

    /// Returns the shim of a file, whose methods are the installed ones.
    private static func of(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutablePointer<
        Self
    > {
        UnsafeMutableRawPointer(mutating: UnsafeRawPointer(file!.pointee.pMethods!))
            .assumingMemoryBound(to: Self.self)
    }
}

// MARK: Beginning and ending

extension CoalescingLog {
    /// Installs the shim on a connection.
    ///
    /// - Returns: nil if there is no log, or if a power failure may damage data that was written
    ///   before. SQLite then writes single bytes after a transaction.
    package static func install(on connection: OpaquePointer) -> UnsafeMutablePointer<Self>? {
        var found: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(
            connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &found)
        guard code == SQLITE_OK, let file = found, let base = file.pointee.pMethods,
            MemoryLayout<Self>.offset(of: \.methods) == 0,
            let characteristics = base.pointee.xDeviceCharacteristics,
            characteristics(file) & SQLITE_IOCAP_POWERSAFE_OVERWRITE != 0
        else { return nil }
        let log = UnsafeMutablePointer<Self>.allocate(capacity: 1)
        log.initialize(to: Self(base: base, connection: connection))
        // Proof for `pMethods`: SQLite calls a file's methods one at a time, on the thread
        // that uses the connection. The record stays until xClose, which restores the
        // file's own methods.
        file.pointee.pMethods = UnsafeRawPointer(log)
            .assumingMemoryBound(to: sqlite3_io_methods.self)
        sqlite3_rollback_hook(
            connection,
            { $0?.assumingMemoryBound(to: CoalescingLog.self).pointee.drop() }, log)
        return log
    }

    /// Prepares the shim for a transaction. Call this before each transaction to collect.
    package mutating func beginTransaction() {
        drop()
        end = 0
    }

    /// Drops the waiting frames, which were rolled back.
    private mutating func drop() {
        count = 0
        awaitsPage = false
    }

    /// Restores the file's own methods and closes the file.
    private mutating func close(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
        let base = base
        let log = Self.of(file)
        sqlite3_rollback_hook(connection, nil, nil)
        bytes.deallocate()
        // Proof for `pMethods`: these were the file's methods before `install(on:)`, and nothing
        // refers to this record from here on.
        file!.pointee.pMethods = base
        log.deallocate()
        return base.pointee.xClose(file)
    }
}

// MARK: Writing

extension CoalescingLog {
    private mutating func write(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ source: UnsafeRawPointer?, _ size: Int32,
        _ offset: Int64
    ) -> Int32 {
        guard let source else { return SQLITE_MISUSE }
        if awaitsPage && offset == start + Int64(count) {
            gather(source, size, offset)
            awaitsPage = false
            return endsTransaction || count >= Self.enough ? handOver(file) : SQLITE_OK
        }
        if size == Self.headerSize && offset >= end {
            if count > 0 && offset != start + Int64(count) {
                let code = handOver(file)
                if code != SQLITE_OK { return code }
            }
            if count == 0 { start = offset }
            // The second number of the header is the size of the database if the frame ends
            // a transaction.
            endsTransaction = source.loadUnaligned(fromByteOffset: 4, as: UInt32.self) != 0
            gather(source, size, offset)
            awaitsPage = true
            return SQLITE_OK
        }
        let code = writeWaiting(file)
        return code == SQLITE_OK ? base.pointee.xWrite(file, source, size, offset) : code
    }

    private mutating func gather(_ source: UnsafeRawPointer, _ size: Int32, _ offset: Int64) {
        (bytes + count).copyMemory(from: source, byteCount: Int(size))
        count += Int(size)
        end = offset + Int64(size)
    }

    /// Writes the waiting frames. They no longer wait afterwards, even if the write fails.
    private mutating func handOver(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
        let size = Int32(count)
        drop()
        return base.pointee.xWrite(file, bytes, size, start)
    }

    /// Writes the waiting frames if their transaction is still open.
    private mutating func writeWaiting(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
        if count == 0 { return SQLITE_OK }
        guard sqlite3_txn_state(connection, "main") == SQLITE_TXN_WRITE else {
            drop()
            return SQLITE_OK
        }
        return handOver(file)
    }
}

// MARK: Operations that need the frames in the file

extension CoalescingLog {
    private mutating func read(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ target: UnsafeMutableRawPointer?,
        _ size: Int32, _ offset: Int64
    ) -> Int32 {
        let code = writeWaiting(file)
        return code == SQLITE_OK ? base.pointee.xRead(file, target, size, offset) : code
    }

    private mutating func truncate(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ size: Int64
    ) -> Int32 {
        let code = writeWaiting(file)
        return code == SQLITE_OK ? base.pointee.xTruncate(file, size) : code
    }

    private mutating func sync(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32
    ) -> Int32 {
        let code = writeWaiting(file)
        return code == SQLITE_OK ? base.pointee.xSync(file, flags) : code
    }

    private mutating func size(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ size: UnsafeMutablePointer<Int64>?
    ) -> Int32 {
        let code = writeWaiting(file)
        return code == SQLITE_OK ? base.pointee.xFileSize(file, size) : code
    }
}
