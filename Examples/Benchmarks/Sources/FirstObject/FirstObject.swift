import FoundationEssentials
import ProgramEnd
import RecordStack

/// Opens a store, finds one person by the unique text, prints the text, and exits.
///
/// Its arguments are the store's path and the text. ``FirstObjectFloor`` does the same with
/// hand-written code.
@main
enum FirstObject {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, FileManager.default.fileExists(atPath: arguments[1]) else {
            leave("usage: FirstObject STORE EMAIL", status: 2)
        }
        do {
            let stack = try ContextStack(for: Person.self, at: .file(arguments[1]))
            let context = stack.newContext()
            guard let person = try Person.findFirst(by: \.email, arguments[2], in: context) else {
                leave("nobody has the address \(arguments[2])", status: 1)
            }
            leave(person.email, status: 0)
        } catch {
            leave("\(error)", status: 1)
        }
    }

    /// Prints a line and ends the program at once, without closing anything.
    private static func leave(_ text: String, status: Int32) -> Never {
        print(text)
        end_program(status)
    }
}
