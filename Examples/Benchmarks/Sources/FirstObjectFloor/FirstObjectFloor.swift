import FoundationEssentials
import GRDBSQLite
import ProgramEnd

/// The work of `FirstObject`, hand-written over the C API.
///
/// Its arguments are the file's path, the text, the SQL that each connection runs first,
/// and the SELECT.
@main
enum FirstObjectFloor {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, FileManager.default.fileExists(atPath: arguments[1]) else {
            leave("usage: FirstObjectFloor FILE EMAIL PRAGMAS SELECT", status: 2)
        }
        var database: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(arguments[1], &database, flags, nil) == SQLITE_OK,
            sqlite3_exec(database, arguments[3], nil, nil, nil) == SQLITE_OK
        else { leave(String(cString: sqlite3_errmsg(database)), status: 1) }
        guard let person = find(arguments[2], arguments[4], in: database) else {
            leave("nobody has the address \(arguments[2])", status: 1)
        }
        leave(person.email, status: 0)
    }

    private static func find(
        _ email: String, _ select: String, in database: OpaquePointer?
    ) -> FloorPerson? {
        var prepared: OpaquePointer?
        guard sqlite3_prepare_v2(database, select, -1, &prepared, nil) == SQLITE_OK,
            let statement = prepared
        else { leave(String(cString: sqlite3_errmsg(database)), status: 1) }
        return email.withCString { text in
            // The text lives until the row has been read.
            sqlite3_bind_text(statement, 1, text, -1, nil)
            return sqlite3_step(statement) == SQLITE_ROW ? FloorPerson(statement) : nil
        }
    }

    /// Prints a line and ends the program at once, without closing anything.
    private static func leave(_ text: String, status: Int32) -> Never {
        print(text)
        end_program(status)
    }
}
