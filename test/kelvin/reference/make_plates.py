#!/usr/bin/python3
# make_plates.py - the numbers of reference_plate.h: clamped boxes [0, L] x [0, W] x [0, t] under a shear on their end, by CalculiX.
# Usage: make_plates.py L,W,t,nu,nx,ny,nz ...   (nx, ny, nz: elements, C3D20R, graded towards the clamp; writes b.inp where it is called)
# SPDX-FileCopyrightText: 2026 The pliant authors
# SPDX-License-Identifier: MIT
import os, subprocess, sys

def solve(L,W,t,nu,nx,ny,nz,E=1000.0,elem='C3D20R'):
    import math
    g=1.0
    xs=[]
    # uniform in ratio: geometric grading so the first element ~ t/8
    first=min(t/6,L/nx)
    if abs(first*nx-L)<1e-12*L: hs=[first]*nx
    else:
        lo,hi=1.0,3.0
        for _ in range(100):
            r=(lo+hi)/2
            s=first*(r**nx-1)/(r-1) if r>1+1e-12 else first*nx
            if s>L: hi=r
            else: lo=r
        hs=[first*lo**i for i in range(nx)]
        k=L/sum(hs); hs=[h*k for h in hs]
    x=[0.0]
    for h in hs: x+= [x[-1]+h/2, x[-1]+h]
    y=[W*j/(2*ny) for j in range(2*ny+1)]
    z=[t*k/(2*nz) for k in range(2*nz+1)]
    ids={};lines=[]
    def N(i,j,k):
        key=(i,j,k)
        if key not in ids:
            ids[key]=len(ids)+1
            lines.append("%d,%.12g,%.12g,%.12g"%(ids[key],x[i],y[j],z[k]))
        return ids[key]
    els=[];tip=[]
    for a in range(nx):
        for b in range(ny):
            for c in range(nz):
                i,j,k=2*a,2*b,2*c
                n=[N(i,j,k),N(i+2,j,k),N(i+2,j+2,k),N(i,j+2,k),N(i,j,k+2),N(i+2,j,k+2),N(i+2,j+2,k+2),N(i,j+2,k+2),
                   N(i+1,j,k),N(i+2,j+1,k),N(i+1,j+2,k),N(i,j+1,k),N(i+1,j,k+2),N(i+2,j+1,k+2),N(i+1,j+2,k+2),N(i,j+1,k+2),
                   N(i,j,k+1),N(i+2,j,k+1),N(i+2,j+2,k+1),N(i,j+2,k+1)]
                els.append(n)
                if a==nx-1: tip.append(n)
    F={}
    A=(W/ny)*(t/nz)
    for n in tip:
        # face x max: corners 2,3,7,6 ; mids 10,19,14,18
        for c in (1,2,6,5): F[n[c]]=F.get(n[c],0)-A/12
        for c in (9,18,13,17): F[n[c]]=F.get(n[c],0)+A/3
    with open('b.inp','w') as f:
        f.write("*NODE,NSET=ALL\n"+"\n".join(lines)+"\n*ELEMENT,TYPE=%s,ELSET=E\n"%elem)
        for e,n in enumerate(els):
            f.write("%d,"%(e+1)+",".join(map(str,n[:15]))+",\n"+",".join(map(str,n[15:]))+"\n")
        f.write("*NSET,NSET=TIP\n"+",\n".join(map(str,sorted(F)))+"\n")
        f.write("*BOUNDARY\n")
        for (i,j,k),v in ids.items():
            if i==0: f.write("%d,1,3\n"%v)
        f.write("*MATERIAL,NAME=M\n*ELASTIC\n%g,%g\n*SOLID SECTION,ELSET=E,MATERIAL=M\n*STEP\n*STATIC\n*CLOAD\n"%(E,nu))
        for n,v in F.items(): f.write("%d,3,%.12g\n"%(n,-v))
        f.write("*NODE PRINT,NSET=TIP\nU\n*END STEP\n")
    subprocess.run(['nice','ccx','b'],stdout=subprocess.DEVNULL,env=dict(os.environ,OMP_NUM_THREADS='1'))
    s=0
    for l in open('b.dat'):
        p=l.split()
        if len(p)==4 and p[0].isdigit(): s+=F[int(p[0])]*float(p[3])
    return s/sum(F.values()),len(ids)
for a in sys.argv[1:]:
    L,W,t,nu,nx,ny,nz=[float(v) for v in a.split(',')]
    print(a,"tip %.8g nodes %d"%solve(L,W,t,nu,int(nx),int(ny),int(nz)),flush=True)
