#if Macros
    extension WrittenSource {
        /// The argument with which EntityWriter runs the plug-in.
        static var command: String { "write-entities" }

        /// Expands the source file in the standard input, and prints the result.
        ///
        /// The output is a line with the number of messages and `true` if one of them is an error,
        /// then the messages, one in each line, and then the new text.
        ///
        /// - Parameter path: the path that messages name.
        static func writeStandardInput(path: String) {
            var source = ""
            while let line = readLine(strippingNewline: false) { source += line }
            let written = WrittenSource(of: source, path: path)
            let messages = written.messages.map { $0.split(whereSeparator: \.isNewline) }
            print(messages.count, written.hasErrors)
            for message in messages { print(message.joined(separator: " ")) }
            print(written.text, terminator: "")
        }
    }
#endif
