# Counts, for each type of a target, the lines of code in its declaration and its extensions, and
# its stored properties.
#
# Input: the Swift files of one target, formatted by `swift format`. Output: the types over the
# limits `lines` and `properties_limit`. The properties of a struct that only the type `through`
# stores count as properties of `through`.

function strip(line) {
    gsub(/\\"/, "", line)
    gsub(/"[^"]*"/, "", line)
    sub(/\/\/.*/, "", line)
    return line
}

# Returns the number of occurrences of a pattern in a text.
function count(text, what,    n) {
    n = gsub(what, "", text)
    return n
}

function leaveTypes() {
    while (top > 0 && depth <= level[top]) top--
}

FNR == 1 { depth = 0; top = 0; pending = ""; inText = 0 }

# Braces inside multi-line string literals are not code.
/"""/ { if (count($0, "\"\"\"") % 2 == 1) inText = !inText; if (inText) { sub(/""".*/, ""); } else { next } }
inText && !/"""/ { if (top) codeLines[name[1]]++; next }

{
    line = strip($0)
    if (line ~ /^[ \t]*$/) next
    if (pending == "" && match(line, /(^|[ \t])(class|struct|enum|actor|protocol|extension) [A-Z][A-Za-z0-9_.]*/)) {
        declared = substr(line, RSTART, RLENGTH)
        sub(/^[ \t]+/, "", declared)
        split(declared, word, " ")
        if (word[1] != "class" || line !~ /class (func|var|let) /) { pending = word[2]; kind = word[1] }
    }
    if (top && depth == level[top] + 1 && kinds[top] ~ /class|struct|actor/ \
        && line ~ /(^|[ )])(let|var) [a-z_(]/ && line !~ /(^| )(static|func|init|case) / && pending == "") {
        isStored = line !~ /\{/ || line ~ /\{ *(didSet|willSet)/ || line ~ /= *\{/
        if (isStored) {
            properties[name[top]]++
            declaration = line
            if (match(declaration, /[:=] *[A-Z][A-Za-z0-9_]*/)) {
                type = substr(declaration, RSTART, RLENGTH)
                sub(/^[:=] */, "", type)
                rest = substr(declaration, RSTART + RLENGTH, 1)
                if (rest != "<" && rest != "." && !((type, name[top]) in stores)) {
                    stores[type, name[top]] = 1
                    holders[type]++
                    holder[type] = name[top]
                }
            }
        }
    }
    opened = count(line, "[{]"); closed = count(line, "[}]")
    if (pending != "" && opened > 0) {
        full = top ? name[top] "." pending : pending
        if (opened > closed) { top++; name[top] = full; kinds[top] = kind; level[top] = depth }
        if (kind == "struct") isStruct[full] = 1
        pending = ""
    }
    if (top) codeLines[name[1]]++
    depth += opened - closed
    leaveTypes()
}

END {
    for (type in isStruct) {
        short = type
        sub(/.*[.]/, "", short)
        if (holders[short] == 1 && holder[short] != type) inside[holder[short]] += properties[type] - 1
    }
    for (type in codeLines) if (codeLines[type] > lines) print type ": " codeLines[type] " code lines, of " lines
    for (type in properties) {
        all = properties[type] + (type == through ? inside[type] : 0)
        if (all > properties_limit) print type ": " all " stored properties, of " properties_limit
    }
}
