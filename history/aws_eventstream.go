package history

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
)

// awsFrames reads a body of binary event frames, as Amazon's services stream them: two lengths and
// a checksum of these, headers, the payload, a checksum of all. It is false where the text does not
// begin with such a frame. A frame that is damaged or cut ends the list.
func awsFrames(src *source) ([]event, bool) {
	p := src.memory
	var list []event
	off := int64(0)
	for len(p) >= awsPrelude+4 {
		total, headers := int(binary.BigEndian.Uint32(p)), int(binary.BigEndian.Uint32(p[4:]))
		if crc32.ChecksumIEEE(p[:8]) != binary.BigEndian.Uint32(p[8:]) {
			break
		}
		if total > len(p) || total < awsPrelude+4 || headers > total-awsPrelude-4 {
			break
		}
		from := awsPrelude + headers
		name := awsEventType(p[awsPrelude:from])
		if v, bad := parse(src, off+int64(from), 1, p[from:total-4]); bad == nil {
			list = append(list, awsInner(name, v))
		}
		p = p[total:]
		off += int64(total)
	}
	return list, off > 0
}

// awsPrelude is the length of a frame's lengths and their checksum.
const awsPrelude = 12

// awsEventType finds the value of the header :event-type.
func awsEventType(p []byte) string {
	for len(p) > 0 {
		n := int(p[0])
		if len(p) < 1+n+1 {
			return ""
		}
		name, kind := string(p[1:1+n]), p[1+n]
		p = p[n+2:]
		size := 0
		switch kind {
		case 0, 1: // true and false have no bytes
		case 2:
			size = 1
		case 3:
			size = 2
		case 4:
			size = 4
		case 5, 8:
			size = 8
		case 9:
			size = 16
		case 6, 7:
			if len(p) < 2 {
				return ""
			}
			size = int(binary.BigEndian.Uint16(p))
			p = p[2:]
		default:
			return ""
		}
		if len(p) < size {
			return ""
		}
		if name == ":event-type" && kind == 7 {
			return string(p[:size])
		}
		p = p[size:]
	}
	return ""
}

// awsInner unwraps the event of another vendor's stream.
func awsInner(name string, v value) event {
	inner := v.get("bytes")
	if name != "chunk" || !inner.isText() {
		return event{name, v}
	}
	text, err := base64.StdEncoding.DecodeString(inner.str())
	if err != nil {
		return event{name, v}
	}
	src := memorySource(v.d.src.name, text)
	src.places = []place{{0, v.at()}}
	if w, bad := parse(src, 0, 1, src.memory); bad == nil {
		return event{name, w}
	}
	return event{name, v}
}
