import Dispatch
import Foundation
import RecordStack

// A program with a synchronous main(), in which nothing ever drains the main queue. It must work
// anyway.

@Entity final class Note: ManagedObject {
    @Attribute var text: String
}

let clock = ContinuousClock()
let start = clock.now
let stack = try ContextStack(for: Note.self, at: .file(CommandLine.arguments[1]))
let done = DispatchSemaphore(value: 0)
stack.saveWithBlock { context in
    try Note.create(in: context, text: "written").objectID
} completion: { result in
    print("completed on the main thread: \(Thread.isMainThread)")
    if case .failure(let error) = result { print("failed: \(error)") }
    done.signal()
}
done.wait()
print("found: \(try Note.find(in: stack.defaultContext).map(\.text))")
try Note.create(in: stack.defaultContext, text: "in the default context")
try stack.defaultContext.saveAndWait()
stack.defaultContext.saveWithBlock { context in
    try Note.create(in: context, text: "in a child")
    return ()
} completion: { _ in
    done.signal()
}
done.wait()
print("counted: \(try Note.count(in: stack.defaultContext))")
try stack.close()
print("closed")
FileHandle.standardError.write(Data("took \(clock.now - start)\n".utf8))
