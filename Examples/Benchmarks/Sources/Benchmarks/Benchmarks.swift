import GRDB
import GRDBSQLite

@main struct Benchmarks {
    static func main() { print(String(cString: sqlite3_libversion())) }
}
