import RecordStack
import RecordStackTesting
import Testing

@Entity final class Course: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship(inverse: \Student.courses) var students: ToMany<Student>
    @Relationship var lessons: OrderedToMany<Lesson>
}

@Entity final class Student: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship var courses: ToMany<Course>
    @Relationship(.symmetric) var friends: ToMany<Student>
}

@Entity final class Lesson: ManagedObject {
    @Attribute(.unique) var title: String
    @Relationship(inverse: \Course.lessons) var course: Course?
}

/// A desk, whose identity includes its lesson.
@Entity(.unique(\.lesson, \.row)) final class Desk: ManagedObject {
    @Attribute var row: Int
    @Relationship(.required) var lesson: Lesson?
}

/// Dumps of relationships that have a join table or an order.
@Suite("Dumps of relationships") struct RelatedDumpTests {
    private func makeTest() throws -> TestStack {
        try TestStack(for: Course.self) { context in
            let course = try Course.create(in: context, name: "Swift")
            // These are not in the order of their names.
            for name in ["Cid", "Ann"] {
                course.students.insert(try Student.create(in: context, name: name))
            }
            for title in ["Z", "Y"] {
                course.lessons.append(try Lesson.create(in: context, title: title))
            }
            Array(course.students)[0].friends.insert(Array(course.students)[1])
        }
    }

    @Test func `a dump keeps ordered members in order and sorts others by identity`() throws {
        #expect(
            "\(try makeTest().dump())" == """
                # Course (1)
                Course "Swift"
                  name: "Swift"
                  students: 2
                    Student "Ann"
                    Student "Cid"
                  lessons: 2
                    Lesson "Z"
                    Lesson "Y"

                # Lesson (2)
                Lesson "Y"
                  title: "Y"
                  course: Course "Swift"
                Lesson "Z"
                  title: "Z"
                  course: Course "Swift"

                # Student (2)
                Student "Ann"
                  name: "Ann"
                  courses: 1
                    Course "Swift"
                  friends: 1
                    Student "Cid"
                Student "Cid"
                  name: "Cid"
                  courses: 1
                    Course "Swift"
                  friends: 1
                    Student "Ann"

                """)
    }

    @Test func `a dump difference shows a moved member and a removed member`() throws {
        let test = try makeTest()
        let context = test.stack.newContext()
        let before = try context.dump()
        let course = try #require(try Course.find(in: context).first)
        course.lessons.move(from: 1, to: 0)
        course.students.remove(try #require(try Student.findFirst(by: \.name, "Cid", in: context)))
        let difference = "\(try context.dump().difference(from: before))"
        #expect(
            difference == """
                ~ Course "Swift"
                    students:
                      - Student "Cid"
                    lessons:
                      ~ in another order
                ~ Student "Cid"
                    courses:
                      - Course "Swift"
                """)
        try context.saveAndWait()
        #expect(try test.dump() == context.dump())
    }

    @Test func `a dump names and sorts objects by all parts of their identity`() throws {
        let dumps = try [["Z", "Y"], ["Y", "Z"]].map { titles in
            try TestStack(for: Course.self, Desk.self) { context in
                for title in titles {
                    let lesson = try Lesson.create(in: context, title: title)
                    for row in title == "Y" ? [2, 1] : [1] {
                        try Desk.create(in: context, row: row, lesson: lesson)
                    }
                }
            }.dump()
        }
        #expect(dumps[0] == dumps[1])
        #expect(
            "\(dumps[0])".contains("# Desk (3)\nDesk \"Y\", 1\n  row: 1\n  lesson: Lesson \"Y\"\n"))
    }
}
