import CSQLite

/// Gathers what a connection writes to its log, so that a transaction is one call of the system
/// instead of two for each of its pages.
///
/// SQLite writes a page to the log as a frame, a header of 24 bytes and the page, each with a call of
/// its own. Here frames wait in memory until the one comes that ends the transaction, which its
/// header says, or until there are many. The call that hands that frame over writes them all and
/// answers for them all, so SQLite hears of an error while the transaction can still fail, and tells
/// other connections of the frames when the file has them.
///
/// Frames that wait are nothing to anybody but their transaction. When it is rolled back they are
/// dropped: another connection may write at their offset next. So they are written only while the
/// connection is in a transaction that writes, and dropped where one begins and where one is rolled
/// back.
///
/// What is not a frame behind the last one of the transaction goes to the file at once, after what
/// waits: the header of a log begun anew, a frame that is written once more, a header with another
/// checksum.
package struct CoalescingLog {
    /// What SQLite calls. It comes first: a file leads here by the address of its methods.
    private var methods: sqlite3_io_methods
    /// The file's own methods.
    private let base: UnsafePointer<sqlite3_io_methods>
    private let connection: OpaquePointer
    private let bytes: UnsafeMutableRawPointer
    private var count = 0
    /// Where in the file the bytes belong.
    private var start: Int64 = 0
    /// Where the last frame of this transaction ends.
    private var end: Int64 = 0
    /// Whether the header of a frame waits for its page.
    private var awaitsPage = false
    private var endsTransaction = false

    /// From so many bytes on they are written: with one frame more it must be fewer than 131,072,
    /// which is as much as SQLite's layer for Unix writes with one call.
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

    /// Where a file's own frames wait; the file's methods are those that were installed.
    private static func of(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutablePointer<
        Self
    > {
        UnsafeMutableRawPointer(mutating: UnsafeRawPointer(file!.pointee.pMethods!))
            .assumingMemoryBound(to: Self.self)
    }
}

// MARK: Beginning and ending

extension CoalescingLog {
    /// Gathers what a connection writes to its log from now on.
    /// - Returns: nil where there is no log, and where the disk may spoil what was written before
    ///   when its power goes: SQLite then writes single bytes behind a transaction.
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
        // SQLite calls a file's methods on the thread that uses the connection, one at a time. The record stays until xClose,
        // which puts the file's own methods back.
        file.pointee.pMethods = UnsafeRawPointer(log)
            .assumingMemoryBound(to: sqlite3_io_methods.self)
        sqlite3_rollback_hook(
            connection,
            { $0?.assumingMemoryBound(to: CoalescingLog.self).pointee.drop() }, log)
        return log
    }

    /// To be called before each transaction that is to be gathered.
    package mutating func beginTransaction() {
        drop()
        end = 0
    }

    /// What waits was rolled back.
    private mutating func drop() {
        count = 0
        awaitsPage = false
    }

    /// The file is itself again, and closed.
    private mutating func close(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
        let base = base
        let log = Self.of(file)
        sqlite3_rollback_hook(connection, nil, nil)
        bytes.deallocate()
        // The base's methods were the file's before `install(on:)`; nothing refers to this record from here on.
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
            // The second number of the header is the size of the database where the transaction ends.
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

    /// Writes what waits. Whatever becomes of it, it waits no more.
    private mutating func handOver(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
        let size = Int32(count)
        drop()
        return base.pointee.xWrite(file, bytes, size, start)
    }

    /// Writes what waits, if it still belongs to anybody.
    private mutating func writeWaiting(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
        if count == 0 { return SQLITE_OK }
        guard sqlite3_txn_state(connection, "main") == SQLITE_TXN_WRITE else {
            drop()
            return SQLITE_OK
        }
        return handOver(file)
    }
}

// MARK: What must find in the file what was written

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
